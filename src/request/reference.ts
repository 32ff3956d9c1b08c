/** A reference in an input. */
export interface Reference {
  field: string;
  entity: new () => object;
  id: number;
}
