/** The work of a part of the page when its user signs out. */
export interface SignOutTask {
  /** Sends pending changes. If that fails, resolves to a sentence that says what is lost. */
  finish?: () => Promise<string | undefined>
  /** A sentence that says what only this page holds, so that signing out in another tab would lose it. */
  unsavedHere?: () => string | undefined
  /** Drops the user's data, in memory and on the device. */
  forget?: () => unknown
}

export const signOutTasks = new Set<SignOutTask>()

/** Registers a task for sign-out. Returns a function that removes it. */
export function onSignOut(part: SignOutTask) {
  signOutTasks.add(part)
  return () => void signOutTasks.delete(part)
}
