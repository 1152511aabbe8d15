import { readMetadata } from "../intents/metadata.ts";
import { wholeItems } from "../intents/parts.ts";
import { listReviews } from "../reviews/reviews.ts";

/** The records beside intents that their items in lists are made of. A list of other records names none (Decision 023). */
export const intentParts = { readMetadata, wholeItems, listReviews } as const;
export type IntentParts = typeof intentParts;
