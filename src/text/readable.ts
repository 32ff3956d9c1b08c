const NOT_TEXT = /\0/;

/** Whether text can be stored and returned unchanged: no NUL, no half of a surrogate pair. */
export const isReadable = (text: string): boolean => !NOT_TEXT.test(text) && text.isWellFormed();
