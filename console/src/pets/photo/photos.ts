import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Int64, Photo } from '../../../../client/src/index.ts'
import { reader } from '../../api/client.ts'
import { following } from '../../api/following.ts'

/** The most files that are fetched at a time. */
const filesMax = 4
/** The most pets that one request asks for. */
const petsMax = 100
const pollMs = 30_000
const fileKeptMs = 300_000

/** What is known of the photo of a pet, kept up to date; null where it has none. Rows in view share a request. */
export function usePhoto(petId: Int64): Photo | null | undefined {
  const { data } = useQuery({
    ...following<Photo | null>(['photo'], { pollMs }),
    queryKey: ['photo', String(petId)],
    queryFn: () => findTogether(petId),
  })
  return data
}

/** The address of a photo for an `img`, once it is fetched. */
export function usePhotoUrl(photo: Photo | null | undefined): string | undefined {
  const { data: file } = useQuery({
    queryKey: ['photo file', photo?.digest],
    queryFn: ({ signal }) => fetchInTurn(photo?.petId ?? 0, signal),
    enabled: !!photo,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: fileKeptMs,
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file) return undefined
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [file])
  return url
}

type Asked = { petId: Int64; resolve(photo: Photo | null): void; reject(error: unknown): void }

const asked: Asked[] = []

function findTogether(petId: Int64): Promise<Photo | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Photo | null>()
  setTimeout(findAll)
  asked.push({ petId, resolve, reject })
  return promise
}

async function findAll() {
  const some = asked.splice(0, petsMax)
  if (some.length === 0) return
  try {
    const query = { petId: some.map((one) => one.petId), limit: petsMax }
    const { data } = await reader.pets.photo.list(query)
    const found = new Map(data.map((photo) => [String(photo.petId), photo]))
    for (const { petId, resolve } of some) resolve(found.get(String(petId)) ?? null)
  } catch (error) {
    for (const { reject } of some) reject(error)
  }
}

const lanes = Array.from({ length: filesMax }, () => Promise.resolve<unknown>(undefined))
let fetched = 0

function fetchInTurn(petId: Int64, signal: AbortSignal): Promise<Blob> {
  const lane = fetched++ % filesMax
  const file = (lanes[lane] as Promise<unknown>).then(() => {
    // Its row may be out of view by now.
    signal.throwIfAborted()
    return reader.pets.photo.get(petId, { signal })
  })
  lanes[lane] = file.catch(() => undefined)
  return file
}
