const PNG = 0x89;
/** The byte of a PNG that says how many bits a colour has. */
const DEPTH = 24;

/** Whether a file is a PNG with 16 bits for each colour. jsPDF prints it in wrong colours. */
export const hasDeepColours = (bytes: Uint8Array): boolean => bytes[0] === PNG && bytes[DEPTH] === 16;
