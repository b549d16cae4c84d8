"""Writes small files of particles, and what other readers find in them, for tests/unit/test_particles.c.

    pip install ase gemmi laspy MDAnalysis numpy plyfile; python3 tests/particles/make.py

A sample in expected.txt is a file with options, and a line for each sphere: x y z element radius red green blue. A dash
stands for what the other reader does not tell.
"""

import io
import pathlib
import warnings

import ase
import ase.io
import gemmi
import laspy
import MDAnalysis
import numpy
import plyfile

warnings.simplefilter("ignore")
FOLDER = pathlib.Path(__file__).parent
lines = []
random = numpy.random.default_rng(1)


def spelled(value):
    return "-" if value is None else value if isinstance(value, str) else f"{float(value):.9g}"


def expect(name, positions, elements=None, radii=None, colours=None):
    lines.append(f"\nsample {name}")
    for i, position in enumerate(positions):
        values = list(position) + [None if elements is None else str(elements[i]), None if radii is None else radii[i]]
        values += [None] * 3 if colours is None else list(colours[i])
        lines.append(" ".join(spelled(value) for value in values))


# ---- PLY, by plyfile ----

def ply(name, text, order, types):
    count = 17
    vertices = numpy.zeros(count, dtype=types)
    for field in vertices.dtype.names:
        kind = vertices.dtype[field]
        vertices[field] = random.integers(0, 200, count) if kind.kind in "ui" else random.normal(0, 30, count)
    if "radius" in vertices.dtype.names:
        vertices["radius"] = random.uniform(0.5, 2, count)
    faces = numpy.array([([0, 1, 2],), ([2, 3, 4],)], dtype=[("vertex_indices", "i4", (3,))])
    cameras = numpy.array([(1.5, 2), (2.5, 3)], dtype=[("view", "f8"), ("id", "u1")])
    elements = [plyfile.PlyElement.describe(cameras, "camera"), plyfile.PlyElement.describe(vertices, "vertex"),
                plyfile.PlyElement.describe(faces, "face")]
    plyfile.PlyData(elements, text=text, byte_order=order, comments=["made by plyfile"]).write(FOLDER / name)
    read = plyfile.PlyData.read(FOLDER / name)["vertex"]
    colours = numpy.stack([read[c] / 255.0 for c in ("red", "green", "blue")], 1) if "red" in types_of(types) else None
    expect(name, numpy.stack([read["x"], read["y"], read["z"]], 1),
           radii=read["radius"] if "radius" in types_of(types) else None, colours=colours)


def types_of(types):
    return [name for name, _ in types]


scan = [("x", "f4"), ("y", "f4"), ("z", "f4"), ("nx", "f4"), ("red", "u1"), ("green", "u1"), ("blue", "u1")]
sized = [("intensity", "i2"), ("x", "f8"), ("y", "f8"), ("z", "f8"), ("radius", "f4"), ("label", "u4")]
ply("ascii.ply", True, "=", scan)
ply("little.ply", False, "<", scan)
ply("big.ply", False, ">", sized)

# ---- arrays, by numpy ----

matrix = random.normal(0, 10, (19, 5))
for name, array in {"c.npy": matrix, "fortran.npy": numpy.asfortranarray(matrix.astype(">f4")),
                    "half.npy": matrix.astype("f2"), "whole.npy": matrix.astype("i2")}.items():
    numpy.save(FOLDER / name, array)
    expect(f"{name}:radius=0.5", numpy.load(FOLDER / name)[:, :3].astype("f8"), radii=[0.5] * 19)
expect("c.npy:x=#5:y=#4:z=x:every=4:radius=0.5", numpy.load(FOLDER / "c.npy")[::4, [4, 3, 0]])

structure = numpy.zeros(11, dtype=[("id", "<i8"), ("pos", ">f8", (3,)), ("symbol", "<U2"), ("mass", "<f2")])
structure["pos"] = random.normal(0, 5, (11, 3))
structure["symbol"] = (["H", "He", "C", "Fe"] * 3)[:11]
structure["mass"] = random.uniform(1, 2, 11)
numpy.save(FOLDER / "structure.npy", structure)
expect("structure.npy", structure["pos"], elements=structure["symbol"])
expect("structure.npy:radius=mass", structure["pos"], radii=structure["mass"].astype("f8"))

for name, save in {"stored.npz": numpy.savez, "packed.npz": numpy.savez_compressed}.items():
    save(FOLDER / name, box=numpy.eye(3), positions=structure["pos"], radius=structure["mass"],
         element=structure["symbol"].astype("S2"))
    read = numpy.load(FOLDER / name)
    expect(name, read["positions"], radii=read["radius"], elements=None)

# ---- tables ----

table = numpy.column_stack([random.normal(0, 9, (13, 3)), random.uniform(0.1, 1, 13)])
numpy.savetxt(FOLDER / "comma.csv", table, delimiter=",", header="x,y,z,radius", comments="", fmt="%.17g")
numpy.savetxt(FOLDER / "blank.dat", table, header="x y z radius")
numpy.savetxt(FOLDER / "bare.txt", table, fmt="%+.6e")
(FOLDER / "quoted.csv").write_text('"name";"y";"x";"z";"Radius"\r\n' + "".join(
    f'"a;b";"{y!r}"; {x!r} ;{z!r};{r!r}\r\n' for x, y, z, r in table.tolist()))
expect("comma.csv", numpy.loadtxt(FOLDER / "comma.csv", delimiter=",", skiprows=1)[:, :3], radii=table[:, 3])
expect("blank.dat", numpy.loadtxt(FOLDER / "blank.dat")[:, :3], radii=numpy.loadtxt(FOLDER / "blank.dat")[:, 3])
expect("bare.txt:radius=#4", numpy.loadtxt(FOLDER / "bare.txt")[:, :3], radii=numpy.loadtxt(FOLDER / "bare.txt")[:, 3])
expect("quoted.csv", table[:, :3], radii=table[:, 3])

# ---- atoms, by ASE, MDAnalysis and gemmi ----

cell = [[9, 0, 0], [-2, 8, 0], [1.5, 2.5, 7]]
frames = [ase.Atoms("C2H5OHNa", positions=random.normal(0, 4, (10, 3)), cell=cell, pbc=True,
                    momenta=random.normal(0, 1, (10, 3))) for _ in range(3)]
ase.io.write(FOLDER / "frames.xyz", frames, format="extxyz")
for i in range(3):
    read = ase.io.read(FOLDER / "frames.xyz", index=i)
    expect(f"frames.xyz:frame={i + 1}", read.positions, elements=read.symbols)
wrapped = ase.io.read(FOLDER / "frames.xyz", index=1)
doubled = wrapped.copy()
wrapped.wrap(eps=0)
expect("frames.xyz:frame=2:wrap=1", wrapped.positions, elements=wrapped.symbols)
shifts = [doubled.positions + numpy.array([i, j, k]) @ doubled.cell.array
          for k in range(3) for j in range(1) for i in range(2)]
expect("frames.xyz:frame=2:images=2:1:3", numpy.concatenate(shifts), elements=list(doubled.symbols) * 6)
ase.io.write(FOLDER / "plain.xyz", frames[0], format="xyz")
expect("plain.xyz", ase.io.read(FOLDER / "plain.xyz").positions, elements=frames[0].symbols)


def dump(name, columns, skewed, values):
    bounds = [[-1.0, 9.5], [2.0, 11.0], [0.0, 7.25]]
    xy, xz, yz = (1.5, -2.0, 0.75) if skewed else (0, 0, 0)
    text = ""
    for frame in range(2):
        text += f"ITEM: TIMESTEP\n{frame * 100}\nITEM: NUMBER OF ATOMS\n8\n"
        if skewed:
            low = [min(0, xy, xz, xy + xz), min(0, yz), 0]
            high = [max(0, xy, xz, xy + xz), max(0, yz), 0]
            text += "ITEM: BOX BOUNDS xy xz yz pp pp pp\n"
            for (a, b), l, h, t in zip(bounds, low, high, (xy, xz, yz)):
                text += f"{a + l!r} {b + h!r} {t!r}\n"
        else:
            text += "ITEM: BOX BOUNDS pp pp ff\n" + "".join(f"{a!r} {b!r}\n" for a, b in bounds)
        text += f"ITEM: ATOMS id type {columns} mass \n"
        for i in range(8):
            x = values[frame, i]
            text += f"{i + 1} {i % 3 + 1} {float(x[0])!r} {float(x[1])!r} {float(x[2])!r} {1 + i / 4!r} \n"
    (FOLDER / name).write_text(text)
    for frame in range(2):
        read = ase.io.read(FOLDER / name, index=frame, format="lammps-dump-text")
        corner = read.get_celldisp().ravel() if "xs" in columns else 0  # ASE leaves it out
        expect(f"{name}:frame={frame + 1}:radius=mass", read.positions + corner, radii=1 + numpy.arange(8) / 4)


places = random.uniform(0, 7, (2, 8, 3)).tolist()
shares = random.uniform(0, 1, (2, 8, 3)).tolist()
dump("plain.dump", "x y z", False, numpy.array(places))
dump("scaled.dump", "xs ys zs", False, numpy.array(shares))
dump("skewed.lammpstrj", "xs ys zs", True, numpy.array(shares))
dump("unwrapped.dump", "xu yu zu", True, numpy.array(places))

universe = MDAnalysis.Universe.empty(6, n_residues=3, atom_resindex=[0, 0, 0, 1, 1, 2], trajectory=True, velocities=True)
universe.add_TopologyAttr("name", ["OW", "HW1", "HW2", "CA", "CL1", "NA"])
universe.add_TopologyAttr("resname", ["SOL", "ALA", "NA"])
universe.add_TopologyAttr("resid", [1, 2, 3])
universe.add_TopologyAttr("element", ["O", "H", "H", "C", "Cl", "Na"])
universe.add_TopologyAttr("chainID", ["A"] * 6)
universe.dimensions = [30, 31, 32, 80, 70, 95]
universe.atoms.positions = random.normal(0, 9, (6, 3)).round(2)
universe.atoms.velocities = random.normal(0, 1, (6, 3))
universe.atoms.write(FOLDER / "water.gro")
expect("water.gro", MDAnalysis.Universe(str(FOLDER / "water.gro")).atoms.positions, elements=universe.atoms.elements)
with MDAnalysis.Writer(str(FOLDER / "models.pdb"), multiframe=True) as writer:
    for _ in range(2):
        universe.atoms.positions = random.normal(0, 9, (6, 3)).round(3)
        writer.write(universe.atoms)
for i, frame in enumerate(MDAnalysis.Universe(str(FOLDER / "models.pdb")).trajectory):
    expect(f"models.pdb:frame={i + 1}", frame.positions, elements=universe.atoms.elements)

structure = gemmi.Structure()
structure.name = "made-up"
structure.cell = gemmi.UnitCell(40, 50, 60, 90, 100, 90)
for number in (1, 2):
    model = gemmi.Model(number)
    for letter in "AB":
        chain = gemmi.Chain(letter)
        residue = gemmi.Residue()
        residue.name, residue.seqid = "LIG", gemmi.SeqId("1")
        for name, element in (("N", "N"), ("C5'", "C"), ('O5"', "O"), ("ZN", "Zn")):
            atom = gemmi.Atom()
            atom.name, atom.element = name, gemmi.Element(element)
            atom.pos = gemmi.Position(*random.normal(0, 20, 3).round(3))
            atom.b_iso = 12.5
            residue.add_atom(atom)
        chain.add_residue(residue)
        model.add_chain(chain)
    structure.add_model(model)
structure.setup_entities()
structure.make_mmcif_document().write_file(str(FOLDER / "models.cif"))
for i, model in enumerate(gemmi.read_structure(str(FOLDER / "models.cif"))):
    atoms = [atom for chain in model for residue in chain for atom in residue]
    expect(f"models.cif:frame={i + 1}", [atom.pos.tolist() for atom in atoms], elements=[a.element.name for a in atoms])

# ---- LAS, by laspy ----

for version, form in (("1.2", 2), ("1.4", 7)):
    header = laspy.LasHeader(point_format=form, version=version)
    header.scales, header.offsets = [0.001, 0.001, 0.01], [4e5, 5e6, 100]
    scan = laspy.LasData(header)
    scan.x, scan.y, scan.z = random.uniform(4e5, 4.001e5, 9), random.uniform(5e6, 5.0001e6, 9), random.uniform(90, 140, 9)
    scan.red, scan.green, scan.blue = (random.integers(0, 65535, 9).astype("u2") for _ in range(3))
    name = f"scan-{form}.las"
    scan.write(FOLDER / name)
    read = laspy.read(FOLDER / name)
    corner = numpy.array([read.header.mins[0], read.header.mins[1], 0])
    expect(name, read.xyz - corner, colours=numpy.stack([read.red, read.green, read.blue], 1) / read.red.max().clip(65535))

(FOLDER / "expected.txt").write_text("# Made by tests/particles/make.py with " + ", ".join(
    f"{m.__name__} {getattr(m, '__version__', '')}" for m in (ase, gemmi, laspy, MDAnalysis, numpy, plyfile)) + ".\n"
    + "\n".join(lines) + "\n")
