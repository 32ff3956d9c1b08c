import { Kind, type ASTNode } from 'graphql';

/** A place in an argument. Fields of an input are named relative to it, like the errors of its rules. */
export const placeIn = (argument: string, path: string): string =>
  argument === 'input' && path !== '' ? path.replace(/^\./, '') : argument + path;

/** The path into an argument while a document is visited. */
export class ArgumentPath {
  readonly #steps: string[] = [];

  enter(node: ASTNode, key: unknown): void {
    if (node.kind === Kind.ARGUMENT) this.#steps.push(node.name.value);
    else if (this.isStep(node, key))
      this.#steps.push(node.kind === Kind.OBJECT_FIELD ? `.${node.name.value}` : `[${String(key)}]`);
  }

  leave(node: ASTNode, key: unknown): void {
    if (this.isStep(node, key)) this.#steps.pop();
  }

  get isInside(): boolean {
    return this.#steps.length > 0;
  }

  get field(): string {
    const [argument = '', ...path] = this.#steps;
    return placeIn(argument, path.join(''));
  }

  private isStep({ kind }: ASTNode, key: unknown): boolean {
    return this.isInside && (kind === Kind.ARGUMENT || kind === Kind.OBJECT_FIELD || typeof key === 'number');
  }
}
