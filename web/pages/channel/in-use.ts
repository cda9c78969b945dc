const LIST = 'main section:not(.welcome-place *)'

/** Whether the user is busy with a message: edits it, has opened its menu or the emoji picker, or has selected some of it. */
export const isInUse = () =>
  document.activeElement?.closest(LIST) != null ||
  document.querySelector(`:is(${LIST}) [aria-expanded=true]`) !== null ||
  isSelectedIn(LIST)

function isSelectedIn(area: string) {
  const selection = getSelection()
  return selection?.isCollapsed === false && selection.anchorNode?.parentElement?.closest(area) != null
}
