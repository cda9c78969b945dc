export const welcomeCard = () => import('./welcome-card.tsx')
export const joinBar = () => import('../../features/channels/header/join-bar.tsx')
export const endedConversation = () => import('./ended-conversation.tsx')
export const openThread = () => import('./open-thread.tsx')
