import { expect, test } from 'vitest'
import { isHomeScreenDevice } from './installed.ts'

const AGENTS = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148',
  chromeOnIphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/138.0 Mobile/15E148',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
  android: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36',
}

test.each<[keyof typeof AGENTS, number, boolean]>([
  ['iPhone', 5, true],
  ['chromeOnIphone', 5, true],
  // An iPad that requests desktop websites, as it does by default.
  ['mac', 5, true],
  ['mac', 0, false],
  ['android', 5, false],
  ['windows', 10, false],
])('%s with %i touch points has a Home Screen to add to: %s', (agent, maxTouchPoints, expected) => {
  expect(isHomeScreenDevice({ userAgent: AGENTS[agent], maxTouchPoints } as Navigator)).toBe(expected)
})
