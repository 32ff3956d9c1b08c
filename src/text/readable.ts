const NOT_TEXT = /\0/;

/** Whether text can be stored and returned unchanged: no NUL, no half of a surrogate pair. */
export const isReadable = (text: string): boolean => !NOT_TEXT.test(text) && text.isWellFormed();

/** A text that can be stored: what cannot is replaced by `�`. */
export const readable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
