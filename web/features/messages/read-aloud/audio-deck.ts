import { onSignOut } from '../../../session/sign-out-tasks.ts'

/** Times in seconds; `total` is NaN until it is known. */
export interface Playback {
  phase: 'idle' | 'loading' | 'playing' | 'stopped' | 'failed'
  elapsed: number
  total: number
}

const IDLE: Playback = { phase: 'idle', elapsed: 0, total: Number.NaN }

/*
 * One audio element for the page: it plays one file at a time, and continues while its row is scrolled out of view. It is
 * created on the first click; before that nothing is requested.
 */
let deck: HTMLAudioElement | undefined
let playback = IDLE
/** The path on which playback started: it stops when the user goes elsewhere. */
let startedOn: string | undefined
const listeners = new Set<() => void>()
/** Stops the current playback outside of this audio element. */
let stopOther = () => {}

/**
 * Stops whatever is playing.
 * @param end stops the playback that the caller is about to start elsewhere
 */
export function stopPlayback(end = () => {}) {
  const endLast = stopOther
  stopOther = end
  deck?.pause()
  endLast()
}

onSignOut({ forget: () => stopPlayback() })

export function onPlayback(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** @param src an absolute URL, as the browser writes it */
export const playbackOf = (src: string) => (deck?.src === src ? playback : IDLE)

/** Plays or pauses; keeps the position. */
export function toggle(src: string) {
  deck ??= createDeck()
  if (deck.src !== src || deck.error) deck.src = src
  if (!deck.paused) return deck.pause()
  stopPlayback()
  startedOn = location.pathname
  deck.play().catch((error: Error) => {
    // Paused before it started.
    if (error.name !== 'AbortError') console.error('This audio cannot be played:', error)
  })
}

export function seek(src: string, seconds: number) {
  if (deck?.src !== src) return
  deck.currentTime = seconds
  publishPlayback(deck)
}

function createDeck() {
  const made = new Audio()
  made.preload = 'none'
  for (const event of ['play', 'pause', 'timeupdate', 'durationchange', 'emptied', 'error'])
    made.addEventListener(event, () => publishPlayback(made))
  made.addEventListener('ended', () => {
    made.currentTime = 0
  })
  return made
}

function publishPlayback(from: HTMLAudioElement) {
  if (startedOn !== location.pathname) from.pause()
  playback = playbackFrom(from)
  for (const listener of listeners) listener()
}

function playbackFrom({ error, readyState, paused, currentTime, duration }: HTMLAudioElement): Playback {
  const isKnown = readyState >= HTMLMediaElement.HAVE_METADATA
  const phase = error ? 'failed' : isKnown ? (paused ? 'stopped' : 'playing') : paused ? 'idle' : 'loading'
  return { phase, elapsed: currentTime, total: duration }
}
