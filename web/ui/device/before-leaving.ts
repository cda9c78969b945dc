/** While `isNeeded`, the browser asks for confirmation before the page closes. Returns a function that stops this. */
export function confirmBeforeUnload(isNeeded: () => boolean) {
  const confirm = (event: BeforeUnloadEvent) => {
    if (isNeeded()) event.preventDefault()
  }
  addEventListener('beforeunload', confirm)
  return () => removeEventListener('beforeunload', confirm)
}
