/** What a part of the page does when its person signs out. */
export interface SignOutTask {
  /** Sends what was asked for and not sent yet. Answers what is lost where that fails, in a sentence. */
  finish?: () => Promise<string | undefined>
  /** What this page alone holds and leaving from another tab would lose, in a sentence. */
  unsavedHere?: () => string | undefined
  /** Drops what it holds of the person, in memory and on the device. */
  forget?: () => unknown
}

/** Those of this page. */
export const signOutTasks = new Set<SignOutTask>()

/** Has a part of the page asked when somebody signs out; answers how to take that back. */
export function onSignOut(part: SignOutTask) {
  signOutTasks.add(part)
  return () => void signOutTasks.delete(part)
}
