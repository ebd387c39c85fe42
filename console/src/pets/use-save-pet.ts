import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { PetstoreApiError } from '../../../client/src/errors.ts'
import type { Pet, PetChange } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { describeError, problemsByField } from '../api/describe-error.ts'
import { changeOf, hasChange, newPetOf, type PetDraft } from './pet-draft.ts'
import { fetchPet, type PetVersion } from './use-pets.ts'

/** What the service says against a draft: of the fields, and of the whole. */
type Problems = { fields: Record<string, string>; whole: string | undefined }

const none: Problems = { fields: {}, whole: undefined }

type Saving = {
  isSaving: boolean
  problems: Problems
  /** The pet as it is now, where somebody else was faster. */
  theirs: PetVersion | undefined
  /**
   * Resolves to the saved pet, or to undefined: then `problems` or `theirs` says why. `over`: their version, which is to be
   * changed.
   */
  save(draft: PetDraft, over?: PetVersion): Promise<Pet | undefined>
  /** Their version is the one that is changed from now on. */
  accept(theirs: PetVersion): void
}

/** Adds a pet, or changes the one that was read: only if it is still as it was. */
export function useSavePet(pet: Pet | undefined): Saving {
  const [isSaving, setIsSaving] = useState(false)
  const [problems, setProblems] = useState(none)
  const [theirs, setTheirs] = useState<PetVersion>()
  const [accepted, setAccepted] = useState<PetVersion>()
  // A repetition of the same draft after a lost answer has one effect.
  const lastTry = useRef({ draft: '', key: '' })
  const read = useQuery({
    queryKey: ['pet', String(pet?.id)],
    queryFn: async ({ signal }) => (pet && (await fetchPet(pet.id, signal))) ?? null,
    enabled: pet !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

  async function change(own: Pet, draft: PetDraft, over = accepted): Promise<Pet | undefined> {
    const version = over ?? read.data ?? (await fetchPet(own.id))
    if (version == null) throw new Error(`Pet ${own.id} was withdrawn in the meantime.`)
    // What was opened may be older than what is read now.
    const base = over?.pet ?? own
    const wanted = changeOf(draft, base)
    if (Object.keys(wanted).length === 0) return version.pet
    if (over === undefined && !hasChange(version.pet, petAsChange(own))) {
      setTheirs(version)
      return undefined
    }
    try {
      return await client.pets.update(own.id, wanted, { ifMatch: version.etag })
    } catch (error) {
      if (!(error instanceof PetstoreApiError) || error.status !== 412) throw error
      const now = await fetchPet(own.id)
      if (now === undefined) throw new Error(`Pet ${own.id} was withdrawn in the meantime.`)
      // It is as it should be: a browser repeats a request by itself where the connection broke before the answer.
      if (hasChange(now.pet, { ...petAsChange(base), ...wanted })) return now.pet
      setTheirs(now)
      return undefined
    }
  }

  function accept(version: PetVersion) {
    setAccepted(version)
    setTheirs(undefined)
    setProblems(none)
  }

  async function save(draft: PetDraft, over?: PetVersion): Promise<Pet | undefined> {
    setIsSaving(true)
    setProblems(none)
    if (over !== undefined) accept(over)
    try {
      return pet === undefined ? await add(draft, lastTry.current) : await change(pet, draft, over)
    } catch (error) {
      const fields = problemsByField(error)
      setProblems({ fields, whole: wholeOf(error, fields) })
      return undefined
    } finally {
      setIsSaving(false)
    }
  }

  return {
    isSaving,
    problems,
    theirs,
    save,
    accept,
  }
}

async function add(draft: PetDraft, lastTry: { draft: string; key: string }): Promise<Pet> {
  const text = JSON.stringify(draft)
  if (lastTry.draft !== text) Object.assign(lastTry, { draft: text, key: randomName() })
  return client.pets.create(newPetOf(draft), { idempotencyKey: lastTry.key })
}

/** Not `crypto.randomUUID`, which is missing where the page is not served with HTTPS. */
function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

function petAsChange({ name, categoryId, status }: Pet): PetChange {
  return { name, categoryId, status }
}

/** What is not said at a field. */
function wholeOf(error: unknown, fields: Record<string, string>): string | undefined {
  const isAtFields = ['name', 'categoryId', 'status'].some((name) => fields[name] !== undefined)
  return isAtFields ? fields[''] : describeError(error)
}
