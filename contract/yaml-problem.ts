// A problem in the text of a document itself, before it means anything.

export type YamlProblem = {
  readonly message: string;
  /** Offset into the text in UTF-16 units. */
  readonly offset: number;
};
