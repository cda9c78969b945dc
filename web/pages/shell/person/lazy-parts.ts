export const personCard = () => import('./person-card.tsx')
