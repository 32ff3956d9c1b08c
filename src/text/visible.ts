const UNSEEN = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}`;

// Braille's blank has no property that says so.
const SEEN = new RegExp(String.raw`[^\s\p{Cc}${UNSEEN}\u2800]`, 'u');

/** Whether a text has a character that people see. */
export const isVisible = (text: string): boolean => SEEN.test(text);

const HIDDEN = new RegExp(`[${UNSEEN}]`, 'u');

/** Whether a text has characters that nobody sees, so that two texts may look alike and differ. White space is seen. */
export const hasHidden = (text: string): boolean => HIDDEN.test(text);
