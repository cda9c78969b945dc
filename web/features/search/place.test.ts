import { expect, test } from 'vitest'
import { bestPlaces } from './place.ts'

const place = (name: string, ...also: string[]) => ({ name, also })
const names = (query: string, ...places: { name: string; also: string[] }[]) =>
  bestPlaces(places, query).map(({ name }) => name)

test('what begins with the letters comes before what holds them, and that before what has them apart', () => {
  const places = [place('relaunched'), place('lab-unch'), place('pre-launch'), place('launch')]
  expect(names('launch', ...places)).toEqual(['launch', 'pre-launch', 'relaunched', 'lab-unch'])
  expect(names('lnch', ...places).toSorted()).toEqual(['lab-unch', 'launch', 'pre-launch', 'relaunched'])
  expect(names('zzz', ...places)).toEqual([])
})

test('people are found by name and username, without accents, by several words in any order', () => {
  const tomas = place('Tomás Rivera', 'triv')
  expect(names('tomas', tomas)).toEqual(['Tomás Rivera'])
  expect(names('riv to', tomas)).toEqual(['Tomás Rivera'])
  expect(names('triv', tomas)).toEqual(['Tomás Rivera'])
  expect(names('@TRIV', tomas)).toEqual(['Tomás Rivera'])
  expect(names('tomas smith', tomas)).toEqual([])
})

test('equals stay in the order they came in, and so does everything where nothing is typed', () => {
  const places = ['d', 'c', 'a', 'b'].map((letter) => place(`team-${letter}`))
  expect(names('team', ...places)).toEqual(['team-d', 'team-c', 'team-a', 'team-b'])
  expect(names('#', ...places)).toEqual(['team-d', 'team-c', 'team-a', 'team-b'])
  expect(names('', ...Array.from({ length: 20 }, (_, i) => place(`p${i}`)))).toHaveLength(8)
})
