import * as z from "zod";

/** The body of a 400 that lists what is wrong with the shape of a request. */
export const ShapeError = z
  .looseObject({
    message: z.array(z.string()).meta({ description: "At most 100 problems, then how many more there are" }),
    error: z.literal("Bad Request"),
    statusCode: z.literal(400),
    details: z.looseObject({
      errors: z
        .array(z.looseObject({ path: z.string(), reason: z.string() }))
        .meta({ description: "The same problems" }),
      moreErrors: z.int().exactOptional(),
    }),
  })
  .meta({ id: "ShapeError", description: "Every problem of the request, each opening with its dotted path" });

/** The body of every other error. */
export const ErrorEnvelope = z
  .looseObject({
    statusCode: z.int(),
    code: z.string().exactOptional(),
    message: z.string(),
    timestamp: z.iso.datetime(),
    details: z.looseObject({}),
  })
  .meta({ id: "Error", description: "`message` opens with `code`, where there is one" });
