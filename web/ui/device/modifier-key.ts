const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** The key that makes a shortcut, as it is printed on this device's keyboard. */
export const MOD = isApple ? '⌘' : 'Ctrl'

/** Whether that key is held; on a Mac Control is for the system's own shortcuts. */
export const isMod = ({ metaKey, ctrlKey }: { metaKey: boolean; ctrlKey: boolean }) =>
  isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
