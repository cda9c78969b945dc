const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** The modifier key of shortcuts on Apple's keyboards; elsewhere it is Ctrl. */
export const APPLE_MOD = isApple ? '⌘' : undefined

/** Whether that key is pressed. On a Mac, Control belongs to the system's shortcuts. */
export const isMod = ({ metaKey, ctrlKey }: { metaKey: boolean; ctrlKey: boolean }) =>
  isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
