const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** The modifier key of shortcuts, as printed on this device's keyboard. */
export const MOD = isApple ? '⌘' : 'Ctrl'

/** Whether that key is pressed. On a Mac, Control belongs to the system's shortcuts. */
export const isMod = ({ metaKey, ctrlKey }: { metaKey: boolean; ctrlKey: boolean }) =>
  isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
