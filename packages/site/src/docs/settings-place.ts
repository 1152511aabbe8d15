/** The text of every page in whose place a function puts what it knows of its stage: JSON, its quotation marks escaped. */
export const SETTINGS_PLACE = "__SETTINGS__";

/** The name of the page that is shown where there is none; nobody asks for it by that. */
export const MISSING_PAGE = "404";
