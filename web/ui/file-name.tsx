import { graphemesOf } from './format/graphemes.ts'

interface Props {
  name: string
  className?: string
}

/** Shorter names are cut at the end like any text, if at all. */
const MIN_CUT_CHARACTERS = 16
/** How much of the name before the extension stays, and how long an extension may be. */
const TAIL_CHARACTERS = 4
const MAX_EXTENSION_CHARACTERS = 5
/** Letters whose form and place don't depend on their neighbours. */
const SEPARABLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\P{L}]*$/u

/** The part of a file's name that stays when it is cut: its last characters and the extension. */
export function splitName(name: string): [start: string, end: string] {
  const characters = graphemesOf(name)
  if (characters.length < MIN_CUT_CHARACTERS || !SEPARABLE.test(name)) return [name, '']
  const dot = characters.lastIndexOf('.')
  const hasExtension = dot > 0 && characters.length - dot - 1 <= MAX_EXTENSION_CHARACTERS
  const at = (hasExtension ? dot : characters.length) - TAIL_CHARACTERS
  return at > 0 ? [characters.slice(0, at).join(''), characters.slice(at).join('')] : [name, '']
}

/** A file's name on one line, cut in the middle if it is too long, so that its ending stays. It sets the size of its text. */
export function FileName({ name, className = '' }: Props) {
  const [start, end] = splitName(name)
  if (end === '') return <bdi className={`block truncate text-ui ${className}`}>{name}</bdi>
  return (
    <bdi data-start={start} data-end={end} className={`cut-name ${className}`}>
      {name}
    </bdi>
  )
}
