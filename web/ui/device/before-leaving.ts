/** Has the browser ask before the page closes while `isNeeded`. Returns how to stop. */
export function confirmBeforeUnload(isNeeded: () => boolean) {
  const ask = (event: BeforeUnloadEvent) => {
    if (isNeeded()) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}
