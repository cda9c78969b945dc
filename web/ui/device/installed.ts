/** Whether the page runs as an installed app, without the browser's bars. */
export const isInstalled = () => matchMedia('(display-mode: standalone)').matches

/** Whether this is an iPhone or iPad, where apps are installed by hand. An iPad claims to be a Mac, which has no touch screen. */
export function isHomeScreenDevice({ userAgent, maxTouchPoints } = navigator) {
  return /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}
