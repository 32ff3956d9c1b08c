import { expect, it } from 'vitest';
import { NotaFiscal } from '../src/entities/almoxarifado/nota-fiscal.ts';
import { FieldOf } from '../src/resolvers/field-of.ts';

// `npm run check:types` fails if an expected error does not occur.
it('an input must allow null where clients may give null', () => {
  class Input {
    @FieldOf(NotaFiscal) linkNf?: string | null;
    @FieldOf(NotaFiscal, { nullable: false }) dataEmissao!: string;
    // @ts-expect-error: the column may be null
    @FieldOf(NotaFiscal) processoSei!: string;
    // @ts-expect-error: the input says so
    @FieldOf(NotaFiscal, { nullable: true }) numeroNf?: string;
  }
  expect(Input).toBeDefined();
});
