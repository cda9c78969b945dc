/** Lets the browser ask before the page goes, as long as something would be lost with it. Answers how to end this. */
export function confirmBeforeUnload(isNeeded: () => boolean) {
  const ask = (event: BeforeUnloadEvent) => {
    if (isNeeded()) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}
