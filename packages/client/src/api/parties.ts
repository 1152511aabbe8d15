// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { List, Query, Whole } from "../lists.ts";
import type { Options } from "../route.ts";
import type {
  DeletedDocument,
  DeletedParty,
  DocumentRead,
  MintedDocument,
  Payer,
  PayerItem,
  SavedDocument,
  SavedDocuments,
  Student,
  StudentItem,
} from "../schemas/parties.ts";
import type {
  PayerChanges,
  PayerInput,
  SavedDocumentInput,
  StudentChanges,
  StudentInput,
} from "../schemas/parties-requests.ts";
import type { PayerSelection, StudentSelection } from "../schemas/parties-selections.ts";

export type StudentsMethods = {
  /**
   * Save a student.
   *
   * A person for whom, or by whom, tuition is paid. Name the record by its `_id` in intents. Scope: `write`. An
   * `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  create(body: StudentInput, options?: Options): Promise<Student>;

  /**
   * List students, newest first.
   *
   * The tenant's students. Scope: `read`.
   */
  list(query?: Whole<Query<StudentItem>>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<StudentItem>;
  list(query: Query<StudentItem>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<StudentSelection>;

  /**
   * Get a student.
   *
   * By its `_id`. Scope: `read`.
   */
  get(id: string | number, options?: Options): Promise<Student>;

  /**
   * Change a student; fields that are left out stay, and null removes one.
   *
   * Payments that were submitted keep the details that they were submitted with. Scope: `write`.
   */
  update(id: string | number, body: StudentChanges, options?: Options & {
    /** The `ETag` of the resource as it was read: 412 if it has changed since */ ifMatch?: string;
  }): Promise<Student>;

  /**
   * Delete a student and the documents saved on it.
   *
   * For good. Drafts that name it lack a party from then on; submitted payments keep the details that they were
   * submitted with. Scope: `write`.
   */
  delete(id: string | number, options?: Options): Promise<DeletedParty>;

  /**
   * Save an uploaded document on a student for reuse.
   *
   * Keeps a copy of an upload on the student. The upload stays good for a payment. Scope: `write`. An `Idempotency-Key`
   * has no effect: a repeat is a request of its own.
   */
  saveDocument(id: string | number, body: SavedDocumentInput, options?: Options): Promise<SavedDocument>;

  /**
   * List a student's saved documents: metadata only.
   *
   * What the documents are, without their content. Scope: `read`.
   */
  listDocuments(id: string | number, query?: {
    /** So many are left out */ skip?: number;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<SavedDocuments>;

  /**
   * Mint a single-use document id from a saved document.
   *
   * Each payment needs a document id of its own: the copy is consumed when its intent is submitted, and expires if that
   * does not happen promptly. Scope: `write`. An `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  useDocument(id: string | number, legacyDocumentId: string | number, options?: Options): Promise<MintedDocument>;

  /**
   * Delete a saved document.
   *
   * For good. Copies of it that were minted for a payment stay with that payment. Scope: `write`.
   */
  deleteDocument(id: string | number, legacyDocumentId: string | number, options?: Options): Promise<DeletedDocument>;

  /**
   * The saved document itself.
   *
   * The file as it was uploaded, as a download. Scope: `read`.
   */
  getDocumentContent(id: string | number, legacyDocumentId: string | number, options?: Options): Promise<File>;
};

export type PayersMethods = {
  /**
   * Save a payer.
   *
   * A person or company that pays for others. Name the record by its `_id` in intents. Scope: `write`. An
   * `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  create(body: PayerInput, options?: Options): Promise<Payer>;

  /**
   * List payers, newest first.
   *
   * The tenant's payers. Scope: `read`.
   */
  list(query?: Whole<Query<PayerItem>>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<PayerItem>;
  list(query: Query<PayerItem>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<PayerSelection>;

  /**
   * Get a payer.
   *
   * By its `_id`. Scope: `read`.
   */
  get(id: string | number, options?: Options): Promise<Payer>;

  /**
   * Change a payer; fields that are left out stay, and null removes one.
   *
   * Payments that were submitted keep the details that they were submitted with. Scope: `write`.
   */
  update(id: string | number, body: PayerChanges, options?: Options & {
    /** The `ETag` of the resource as it was read: 412 if it has changed since */ ifMatch?: string;
  }): Promise<Payer>;

  /**
   * Delete a payer and the documents saved on it.
   *
   * For good. Drafts that name it lack a party from then on; submitted payments keep the details that they were
   * submitted with. Scope: `write`.
   */
  delete(id: string | number, options?: Options): Promise<DeletedParty>;

  /**
   * Save an uploaded document on a payer for reuse.
   *
   * Keeps a copy of an upload on the payer. The upload stays good for a payment. Scope: `write`. An `Idempotency-Key`
   * has no effect: a repeat is a request of its own.
   */
  saveDocument(id: string | number, body: SavedDocumentInput, options?: Options): Promise<SavedDocument>;

  /**
   * List a payer's saved documents: metadata only.
   *
   * What the documents are, without their content. Scope: `read`.
   */
  listDocuments(id: string | number, query?: {
    /** So many are left out */ skip?: number;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<SavedDocuments>;

  /**
   * Mint a single-use document id from a saved document.
   *
   * Each payment needs a document id of its own: the copy is consumed when its intent is submitted, and expires if that
   * does not happen promptly. Scope: `write`. An `Idempotency-Key` has no effect: a repeat is a request of its own.
   */
  useDocument(id: string | number, legacyDocumentId: string | number, options?: Options): Promise<MintedDocument>;

  /**
   * Delete a saved document.
   *
   * For good. Copies of it that were minted for a payment stay with that payment. Scope: `write`.
   */
  deleteDocument(id: string | number, legacyDocumentId: string | number, options?: Options): Promise<DeletedDocument>;

  /**
   * The saved document itself.
   *
   * The file as it was uploaded, as a download. Scope: `read`.
   */
  getDocumentContent(id: string | number, legacyDocumentId: string | number, options?: Options): Promise<File>;
};

export type DocumentReadsMethods = {
  /**
   * Who got the identity documents of a student, payer or payment.
   *
   * The newest first. A read is there before its content goes out, stays for good, and outlives the document and its
   * owner. An id that is not the tenant's has none. Scope: `read`.
   */
  list(query: {
    /** The `_id` of a student or payer, or the `id` of an intent, of now or of once */ ownerId: string;
    /** Only what came before this read, by its `id` or a `nextCursor`; without it, the newest comes first */
    after?: string;
    /** At most so many, 100 by default */ limit?: number;
  }, options?: Options): List<DocumentRead>;
};
