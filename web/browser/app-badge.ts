/**
 * Shows a number on the icon of the installed app: nothing for 0, a dot without a number. The tabs of a browser share it.
 * Does nothing where there is no such icon.
 */
export function setAppBadge(count?: number) {
  // Rejects where notifications are blocked.
  navigator.setAppBadge?.(count).catch(() => {})
}
