import { expect, test } from 'vitest'
import { bestPlaces } from './place.ts'

const place = (name: string, ...also: string[]) => ({ name, also })
const names = (query: string, ...places: { name: string; also: string[] }[]) =>
  bestPlaces(places, query).map(({ name }) => name)

test('names that start with the query come before names that contain it, and those before names with its letters apart', () => {
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

test('ties keep their order, and so does everything without a query', () => {
  const places = ['d', 'c', 'a', 'b'].map((letter) => place(`team-${letter}`))
  expect(names('team', ...places)).toEqual(['team-d', 'team-c', 'team-a', 'team-b'])
  expect(names('#', ...places)).toEqual(['team-d', 'team-c', 'team-a', 'team-b'])
  expect(names('', ...Array.from({ length: 20 }, (_, i) => place(`p${i}`)))).toHaveLength(8)
})
