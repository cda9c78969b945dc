import { expect, test } from 'vitest'
import { bestDestinations } from './destination.ts'

const destination = (name: string, ...also: string[]) => ({ name, also })
const names = (query: string, ...destinations: { name: string; also: string[] }[]) =>
  bestDestinations(destinations, query).map(({ name }) => name)

test('names that start with the query come before names that contain it, and those before names with its letters apart', () => {
  const destinations = [
    destination('relaunched'),
    destination('lab-unch'),
    destination('pre-launch'),
    destination('launch'),
  ]
  expect(names('launch', ...destinations)).toEqual(['launch', 'pre-launch', 'relaunched', 'lab-unch'])
  expect(names('lnch', ...destinations).toSorted()).toEqual(['lab-unch', 'launch', 'pre-launch', 'relaunched'])
  expect(names('zzz', ...destinations)).toEqual([])
})

test('people are found by name and username, without accents, by several words in any order', () => {
  const tomas = destination('Tomás Rivera', 'triv')
  expect(names('tomas', tomas)).toEqual(['Tomás Rivera'])
  expect(names('riv to', tomas)).toEqual(['Tomás Rivera'])
  expect(names('triv', tomas)).toEqual(['Tomás Rivera'])
  expect(names('@TRIV', tomas)).toEqual(['Tomás Rivera'])
  expect(names('tomas smith', tomas)).toEqual([])
})

test('ties keep their order, and so does everything without a query', () => {
  const destinations = ['d', 'c', 'a', 'b'].map((letter) => destination(`team-${letter}`))
  expect(names('team', ...destinations)).toEqual(['team-d', 'team-c', 'team-a', 'team-b'])
  expect(names('#', ...destinations)).toEqual(['team-d', 'team-c', 'team-a', 'team-b'])
  expect(names('', ...Array.from({ length: 20 }, (_, i) => destination(`p${i}`)))).toHaveLength(8)
})
