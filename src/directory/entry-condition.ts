/** Attributes of entries that a client may filter. */
export type TextAttribute = 'email' | 'nome' | 'descricao' | 'employeetype';
export type FlagAttribute = 'contaGerencial' | 'suspensa' | 'possuiSenha';

/** A condition on entries that each backend can evaluate. No comparison matches an empty attribute. */
export type EntryCondition =
  | { readonly and: readonly EntryCondition[] }
  | { readonly or: readonly EntryCondition[] }
  | { readonly not: EntryCondition }
  | { readonly flag: FlagAttribute; readonly value: boolean }
  | { readonly text: TextAttribute; readonly in: readonly string[] }
  | { readonly text: TextAttribute; readonly contains: string; readonly atStart: boolean }
  | { readonly text: TextAttribute; readonly isNull: boolean };
