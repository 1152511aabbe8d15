/** The text of every page in whose place a function puts what it knows of its stage: JSON, its quotation marks escaped. */
export const SETTINGS_PLACE = "__SETTINGS__";
