import { onSignOut } from '../../../session/sign-out-tasks.ts'

/** What a listener sees of one sound. Times in seconds; `total` is NaN until it is known. */
export interface Playback {
  phase: 'idle' | 'loading' | 'playing' | 'stopped' | 'failed'
  elapsed: number
  total: number
}

const IDLE: Playback = { phase: 'idle', elapsed: 0, total: Number.NaN }

/*
 * One deck for the page: one sound at a time, and it goes on while its row is scrolled out of sight. It is made with
 * the first click; before that nothing is requested.
 */
let deck: HTMLAudioElement | undefined
let playback = IDLE
/** The page a sound was started on; it ends with the page. */
let startedOn: string | undefined
const listeners = new Set<() => void>()
/** Ends what sounds elsewhere than on the deck. */
let endOther = () => {}

/** Ends what sounds. Whoever begins with something else says how it is ended in its turn. */
export function stopPlayback(end = () => {}) {
  const endLast = endOther
  endOther = end
  deck?.pause()
  endLast()
}

onSignOut({ forget: () => stopPlayback() })

export function onPlayback(heard: () => void) {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

/** `src` is a whole address, as the browser writes it. */
export const playbackOf = (src: string) => (deck?.src === src ? playback : IDLE)

/** Starts what is stopped, and stops what plays; it keeps its place. */
export function toggle(src: string) {
  deck ??= makeDeck()
  if (deck.src !== src || deck.error) deck.src = src
  if (!deck.paused) return deck.pause()
  stopPlayback()
  startedOn = location.pathname
  deck.play().catch((error: Error) => {
    // Stopped before it began.
    if (error.name !== 'AbortError') console.error('This audio cannot be played:', error)
  })
}

export function seek(src: string, seconds: number) {
  if (deck?.src !== src) return
  deck.currentTime = seconds
  tell(deck)
}

function makeDeck() {
  const made = new Audio()
  made.preload = 'none'
  for (const event of ['play', 'pause', 'timeupdate', 'durationchange', 'emptied', 'error'])
    made.addEventListener(event, () => tell(made))
  made.addEventListener('ended', () => {
    made.currentTime = 0
  })
  return made
}

function tell(from: HTMLAudioElement) {
  if (startedOn !== location.pathname) from.pause()
  playback = read(from)
  for (const heard of listeners) heard()
}

function read({ error, readyState, paused, currentTime, duration }: HTMLAudioElement): Playback {
  const isKnown = readyState >= HTMLMediaElement.HAVE_METADATA
  const phase = error ? 'failed' : isKnown ? (paused ? 'stopped' : 'playing') : paused ? 'idle' : 'loading'
  return { phase, elapsed: currentTime, total: duration }
}
