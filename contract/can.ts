/** Who may do what: pure, so that the guard of the door and the button on the screen cannot disagree. */
export const can = {
  writeIn: (channel: { isMember: boolean }) => channel.isMember,
}
