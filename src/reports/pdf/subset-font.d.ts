/** The package has no types, and those of others lack half of its options. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string | undefined,
    options: {
      targetFormat: 'truetype';
      /** Layout features to keep, by their tags. */
      keepFeatures?: readonly string[];
      noHinting?: boolean;
      /** In place of a text. */
      keepAllGlyphs?: boolean;
      /** The place on each axis of a variable font. */
      variationAxes?: Readonly<Record<string, number>>;
    },
  ): Promise<Buffer>;
}
