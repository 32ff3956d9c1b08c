/** The package has no types, and the types by others lack half of its options. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string | undefined,
    options: {
      targetFormat: 'truetype';
      /** Layout features to keep, by their tags. */
      keepFeatures?: readonly string[];
      noHinting?: boolean;
      /** Keeps all glyphs, and not only those of `text`. */
      keepAllGlyphs?: boolean;
      /** The position on each axis of a variable font. */
      variationAxes?: Readonly<Record<string, number>>;
    },
  ): Promise<Buffer>;
}
