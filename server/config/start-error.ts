/** Why Parley cannot start. Printed without a stack, so its message is a sentence for the administrator. */
export class StartError extends Error {}
