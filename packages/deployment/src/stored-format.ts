/**
 * The number of the format of records, documents and queues. Raise it when you change them so that an older version would
 * misread or lose them. A version refuses data of another number: `start` by its folder, CloudFormation by an export in use,
 * the operator's command by the setting of the same name (Decision 012).
 */
export const STORED_FORMAT = 1;
