import { describe, expect, test } from 'vitest';
import { ghsIcons } from '../src/database/reference/ghs.ts';
import {
  demoControlTypes,
  demoMaterials,
  demoRiskClasses,
  demoUnits,
} from '../src/database/seeds/demo-chemicals.ts';

describe('the GHS pictograms', () => {
  test('are the nine of the system, in order', () => {
    expect(ghsIcons.map(icon => icon.codigo)).toEqual(Array.from({ length: 9 }, (_, i) => `GHS0${i + 1}`));
    expectDistinct(ghsIcons.map(icon => icon.nome));
    expectDistinct(ghsIcons.map(icon => icon.icone));
  });

  test.each(ghsIcons)('$codigo is well-formed SVG in a data URI of under 3 kB', ({ icone }) => {
    const [, encoded] = /^data:image\/svg\+xml;charset=utf-8,([^<>"'#\s]+)$/.exec(icone) ?? [];
    expect(icone.length).toBeLessThan(3000);
    const svg = decodeURIComponent(encoded ?? '');
    expect(svg).toMatch(/^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' viewBox='0 0 100 100'>/);
    expect(malformation(svg)).toBeUndefined();
  });

  test.each(["<svg><path d='M0 0'></svg>", '<svg><path d=M0/></svg>', '<svg/><svg/>', '<svg>'])(
    'would not pass as %s',
    broken => expect(malformation(broken)).toBeDefined(),
  );
});

describe('the demo chemicals', () => {
  test('are sixty, of every physical state and under every control type', () => {
    expect(demoMaterials).toHaveLength(60);
    expect(new Set(demoMaterials.map(material => material.estadoFisico))).toEqual(new Set('SLGP'));
    const controls = new Set(demoMaterials.map(material => material.controle));
    expect(controls).toEqual(new Set([...demoControlTypes.map(control => control.descricao), null]));
  });

  test('have CAS numbers with the right check digit', () => {
    const numbers = demoMaterials.flatMap(material => material.numeroCas ?? []);
    expect(numbers.filter(cas => !isCasNumber(cas))).toEqual([]);
    expect(isCasNumber('67-64-2')).toBe(false);
  });

  test('have six-digit CATMAT codes where they have one', () => {
    for (const { catmat } of demoMaterials) expect(catmat ?? '000000').toMatch(/^\d{6}$/);
  });

  test('repeat no title, CAS number, CATMAT code, unit, control type or risk', () => {
    expectDistinct(demoMaterials.map(material => material.titulo));
    expectDistinct(demoMaterials.flatMap(material => material.numeroCas ?? []));
    expectDistinct(demoMaterials.flatMap(material => material.catmat ?? []));
    expectDistinct(demoUnits.map(unit => unit.sigla));
    expectDistinct(demoControlTypes.map(control => control.descricao));
    expectDistinct(demoRiskClasses.map(risk => risk.risco));
    for (const material of demoMaterials) expectDistinct(material.riscos);
  });

  test('name only units, control types, risks and pictograms that exist', () => {
    const units = demoUnits.map<string>(unit => unit.sigla);
    const controls = [null, ...demoControlTypes.map<string>(control => control.descricao)];
    for (const { unidade, controle } of demoMaterials) {
      expect(units).toContain(unidade);
      expect(controls).toContain(controle);
    }
    const usedRisks = new Set(demoMaterials.flatMap(material => material.riscos));
    expect(usedRisks).toEqual(new Set(demoRiskClasses.map(risk => risk.risco)));
    const usedIcons = new Set(demoRiskClasses.map(risk => risk.icone));
    expect(usedIcons).toEqual(new Set(ghsIcons.map(icon => icon.codigo)));
  });
});

function expectDistinct(values: readonly string[]): void {
  expect(values).toEqual([...new Set(values)]);
}

/** The last digit is the sum of the others, each times its place from the right, modulo 10. */
function isCasNumber(cas: string): boolean {
  if (!/^[1-9]\d{1,6}-\d\d-\d$/.test(cas)) return false;
  const [check = 0, ...digits] = cas.replaceAll('-', '').split('').map(Number).toReversed();
  return digits.reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 10 === check;
}

/** What keeps `xml` from being one well-formed element without text, or undefined. */
function malformation(xml: string): string | undefined {
  const open: string[] = [];
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z-]+='[^'<&]*')*)(\/?)>/gy;
  while (tag.lastIndex < xml.length) {
    const at = tag.lastIndex;
    const [, closing, name = '', , empty] = tag.exec(xml) ?? [];
    if (!name || (at > 0 && !open.length)) return xml.slice(at);
    if (closing) {
      if (open.pop() !== name) return xml.slice(at);
    } else if (!empty) open.push(name);
  }
  return open.at(-1);
}
