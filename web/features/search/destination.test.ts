import { expect, test } from 'vitest'
import { bestMatches, candidate } from './destination.ts'

const destination = (name: string, ...also: string[]) => ({ name, also })
const names = (query: string, ...destinations: { name: string; also: string[] }[]) =>
  bestMatches(
    destinations.map(({ name, also }) => candidate(name, name, also)),
    query,
  )

test('prefix matches come before substring matches, and those before scattered letters', () => {
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

test('the first word counts most, and a name counts more than a username', () => {
  const people = [
    destination('Bo Ada', 'x'),
    destination('Ada Bo', 'y'),
    destination('Zoe', 'ada'),
    destination('Ada', 'z'),
  ]
  expect(names('ada', ...people)).toEqual(['Ada', 'Zoe', 'Ada Bo', 'Bo Ada'])
  expect(names('bo ada', ...people)).toEqual(['Bo Ada', 'Ada Bo'])
  expect(names('łukasz', destination('Lukasz'))).toEqual(['Lukasz'])
})
