/** Formatters are expensive to create, so they are kept per kind, locale and options. */
const kept = new Map<string, unknown>()

export function keepFormat<F, O extends object>(
  kind: string,
  locale: string,
  options: O,
  Format: new (locale: string, options: O) => F,
): F {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`
  if (!kept.has(key)) kept.set(key, new Format(locale, options))
  return kept.get(key) as F
}
