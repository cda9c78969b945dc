/** @param excess how many characters are too many */
export const tooLongText = (excess: number) => `Too long by ${excess} ${excess === 1 ? 'character' : 'characters'}`
