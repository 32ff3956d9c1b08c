const SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Longest address that can receive mail (RFC 5321). The shape of a much longer text would take minutes to check. */
const LONGEST = 254;

/** Whether a text looks like an e-mail address. */
export const isEmail = (text: string): boolean => text.length <= LONGEST && SHAPE.test(text);
