/** What decorators declared, by class and property. */
export class Declarations<T> {
  readonly #all = new Map<object, Map<string, T>>();

  /** `target` is the prototype that a decorator receives. */
  add(target: object, property: string, value: T): void {
    const ofClass = this.#all.get(target.constructor) ?? new Map<string, T>();
    this.#all.set(target.constructor, ofClass.set(property, value));
  }

  /** What the class itself declares. */
  own(entity: object, property: string): T | undefined {
    return this.#all.get(entity)?.get(property);
  }

  /** What the class or one that it extends declares. */
  inherited(entity: object | null, property: string): T | undefined {
    return entity === null
      ? undefined
      : (this.own(entity, property) ??
          this.inherited(Object.getPrototypeOf(entity) as object | null, property));
  }
}
