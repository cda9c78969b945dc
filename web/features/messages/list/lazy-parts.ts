export const jumpButton = () => import('./jump-button.tsx')
export const waitingLine = () => import('./waiting-line.tsx')
