/** A user name or an e-mail address, as it is stored and compared. */
export const normalised = (identifier: string): string => identifier.trim().toLowerCase();
