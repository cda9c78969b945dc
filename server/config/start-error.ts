/** Why Parley cannot start: its message is told as it is to the person who starts it. */
export class StartError extends Error {}
