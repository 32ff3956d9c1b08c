/** Declarations of decorators, by class and property. */
export class Declarations<T> {
  readonly #all = new Map<object, Map<string, T>>();

  /** `target` is the prototype that a decorator receives. */
  add(target: object, property: string, value: T): void {
    const ofClass = this.#all.get(target.constructor) ?? new Map<string, T>();
    this.#all.set(target.constructor, ofClass.set(property, value));
  }

  /** The declaration of the class itself. */
  own(entity: object, property: string): T | undefined {
    return this.#all.get(entity)?.get(property);
  }

  /** The declaration of the class, or of one that it extends. */
  inherited(entity: object | null, property: string): T | undefined {
    return entity === null
      ? undefined
      : (this.own(entity, property) ??
          this.inherited(Object.getPrototypeOf(entity) as object | null, property));
  }
}
