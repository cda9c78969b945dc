// Written by `npm run languages` from languages/en.json.

export type NoValues = Record<never, never>
/** A part of a text that is wrapped, such as `<b>…</b>`. */
export interface Tag {
  readonly tag: true
}

/** The texts of languages/en.json by id, with the values that each takes. */
export interface TextValues {
  'app.loading': NoValues
  'app.loadingSignIn': NoValues
  'drafts.loading': NoValues
  'language.direction': NoValues
  'language.name': NoValues
  'threads.loading': NoValues
}
