/** @param excess how many characters have to go */
export const tooLongText = (excess: number) => `Too long by ${excess} ${excess === 1 ? 'character' : 'characters'}`
